import type { Country } from '../country.js';
import { czechia } from './cs.js';
import { germany } from './de.js';
import { britain, unitedStates } from './en.js';
import { spain } from './es.js';
import { france } from './fr.js';
import { italy } from './it.js';
import { netherlands } from './nl.js';
import { denmark, finland, norway, sweden } from './nordic.js';
import { poland } from './pl.js';
import { portugal } from './pt.js';

export const COUNTRIES: readonly Country[] = [
  ...[britain, unitedStates, germany, france, spain, italy, portugal, netherlands, poland, czechia, sweden, finland, denmark, norway],
];
