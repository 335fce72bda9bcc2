import { decodedTexts, UnreadableFile } from '../../../../tools/bank-files/index.js';
import { JobFailure } from '../../../kernel/failure.js';
import { namesIn } from '../../../../tools/bank-tables/index.js';

/** What is wrong with a file, said as jobs say it. */
export const asJobFailure = (error: unknown): unknown =>
  error instanceof UnreadableFile ? new JobFailure(error.code, error.message) : error;

export async function* withJobFailures<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw asJobFailure(error);
  }
}

/** The text of the blocks, with `\n` line ends. Of several encodings, that is meant in which most names of columns are known. */
export function textsOf(blocks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  return withJobFailures(decodedTexts(blocks, namesIn));
}
