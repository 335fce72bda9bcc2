import type { FreeForm } from '../../../kernel/json.js';
import { OUTPUT_OPTIONS, type AllOutputOptions, type OutputOptions } from '../../rules/index.js';
import { parsed } from './rules/parsed.js';

export type { OutputOptions };

export function readOutputOptions(value: FreeForm): AllOutputOptions {
  return parsed(OUTPUT_OPTIONS, value, { code: 'invalid_output_options', name: 'outputOptions' });
}
