import { webhook } from '@claims-api/client/next';

// The test decides what is secret and what happens with an event.
const ask = (path, init) => fetch(process.env.TEST_URL + path, init);

export const POST = webhook(
  async (_request, { params }) => (await ask(`/secrets/${(await params).tenant}`)).json(),
  async (event) => {
    const { status } = await ask('/events', { method: 'POST', body: JSON.stringify(event) });
    if (status === 500) throw new Error('The handler fails.');
    if (status !== 204) return new Response('', { status });
  },
);
