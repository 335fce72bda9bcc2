import { inWords, roughlyInWords } from '../durations.js';
import type { Settings, SETTINGS } from './settings.js';

/** The settings that published texts may state: durations, and schedules of retries as the time they take in all. */
type StatedSetting = Extract<keyof typeof SETTINGS, `${string}Ms` | `${string}RetrySchedule`>;

/** Stands for the value of a setting in a published text. Texts are written before the settings are read. */
export const setting = (name: StatedSetting): string => `{{${name}}}`;

/** Stands for the address of the service in an example of the documents. */
export const SERVICE_URL = '{{serviceUrl}}';
/** Stands for the names of all plans in the values of a field of the documents. */
export const PLAN_NAMES = '{{plans}}';

export function withSettings(text: string, settings: Settings): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_placeholder, name: StatedSetting) => valueInWords(settings[name]));
}

function valueInWords(value: number | readonly number[] | undefined): string {
  if (value === undefined) return 'no limit';
  return typeof value === 'number' ? inWords(value) : roughlyInWords(value.reduce((sum, ms) => sum + ms, 0));
}
