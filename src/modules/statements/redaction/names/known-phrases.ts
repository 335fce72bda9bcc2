import { MERCHANTS, MERCHANTS_LIKE_PEOPLE } from './merchants.js';
import { Phrases, plainWordsOf } from './phrases.js';
import { PLACES } from './places.js';

export const merchants = new Phrases(MERCHANTS);
export const merchantsLikePeople = new Phrases(MERCHANTS_LIKE_PEOPLE);
export const places = new Phrases(PLACES);

/** Whether a text begins with a place or a well-known business. */
export function startsKnownPlaceOrMerchant(text: string): boolean {
  const words = plainWordsOf(text);
  return [places, merchants, merchantsLikePeople].some((known) => known.lengthAt(words, 0) > 0);
}
