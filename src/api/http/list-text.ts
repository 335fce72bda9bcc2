import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How much of a list is made in one turn of the event loop: a few milliseconds. The calls of others go on in between. */
const SLICE_LENGTH = 512 * 1024;

/** Lists become text record by record. As a whole, one of 8 MiB would hold up the calls of others while it is made. */
export function writeListsInSlices(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_request, reply, payload, done) => {
    if (!isList(payload)) return void done(null, payload);
    const slices = slicesOf(payload);
    const [first, second] = [slices.next(), slices.next()];
    if (second.done) {
      reply.serializer(() => first.value!);
      return void done(null, payload);
    }
    bytesOf([first.value!, second.value], slices).then(
      (bytes) => {
        // Fastify sends bytes as they are; its types only know of text.
        reply.serializer(() => bytes as unknown as string);
        done(null, payload);
      },
      (error: Error) => done(error),
    );
  });
}

type List = Readonly<Record<string, unknown>> & { readonly data: readonly unknown[] };

const isList = (payload: unknown): payload is List =>
  typeof payload === 'object' && payload !== null && 'data' in payload && Array.isArray(payload.data);

/** The same text as that of `JSON.stringify`. */
function* slicesOf({ data, ...others }: List): Generator<string, undefined> {
  let slice = '{"data":[';
  let separator = '';
  for (const record of data) {
    slice += separator + JSON.stringify(record);
    separator = ',';
    if (slice.length < SLICE_LENGTH) continue;
    yield slice;
    slice = '';
  }
  const rest = JSON.stringify(others).slice(1);
  yield `${slice}]${rest === '}' ? '' : ','}${rest}`;
  return undefined;
}

async function bytesOf(made: readonly string[], slices: Iterable<string>): Promise<Buffer> {
  const bytes = made.map((slice) => Buffer.from(slice));
  for (const slice of slices) {
    await nextTurn();
    bytes.push(Buffer.from(slice));
  }
  return Buffer.concat(bytes);
}
