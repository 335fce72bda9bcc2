// @ts-check
// Receives webhooks in a route of the App Router: POST /hooks/claims.
import { after } from 'next/server.js';
import { webhook } from '@claims-api/client/next';

/** The ids of events that have arrived. In production: a table of your database whose id is unique. */
const known = new Set();

export const POST = webhook(
  // A function, so that the build needs no secret.
  () => process.env.CLAIMS_WEBHOOK_SECRET,
  (event) => {
    if (known.has(event.id)) return;
    known.add(event.id);
    // The work begins when the answer was sent.
    after(() => {
      if (event.type === 'claim_project.created') console.log('New claim project:', event.data?.name);
    });
  },
);
