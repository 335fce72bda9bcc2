import { blocksOf } from '../../../../tools/bank-files/index.js';
import { draftLayout as drafted, type DraftedLayout } from '../../../../tools/bank-tables/index.js';
import { parseLayout } from './csv/layouts/written-layout.js';
import { asJobFailure, textsOf } from './texts.js';

/** Names and positions of columns are in it, but no text of a booking. */
export async function draftLayout(file: AsyncIterable<Uint8Array>, name: string): Promise<DraftedLayout> {
  try {
    const { layout, guesses } = await drafted(textsOf(blocksOf(file)), name);
    return { layout: parseLayout(JSON.stringify(layout)), guesses };
  } catch (error) {
    throw asJobFailure(error);
  }
}
