import { AsyncLocalStorage } from 'node:async_hooks';
import { ENGLISH, wordingIn } from './page-wording.js';
import type { Say, Wording } from './wording.js';

// Pages are made of parts of many modules, and all of them speak the language of the one person who reads. So it is known wherever they are
// made, and no parameter of every part.

const reading = new AsyncLocalStorage<Wording>();

/** Makes something for one reader: whatever `say` and `told` say meanwhile is in their language. */
export const inWording = <Made>(wording: Wording, make: () => Made): Made => reading.run(wording, make);

/** That of the reader; English outside of a page. */
export const wordingNow = (): Wording => reading.getStore() ?? wordingIn(ENGLISH);

export const say: Say = (key, about) => wordingNow().say(key, about);

/** A text that stands in a declaration in English, such as the label of a field. As it is, if we have it in English only. */
export const told = (english: string): string => wordingNow().told(english);
