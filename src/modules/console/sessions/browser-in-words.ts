import { say } from '../../../api/console/say.js';

type Signs = Readonly<Record<string, RegExp>>;

/** Most browsers name others as well, so the first one counts. */
const BROWSERS: Signs = {
  Edge: /\bEdg/,
  Opera: /\bOPR/,
  'Samsung Internet': /SamsungBrowser/,
  Firefox: /Firefox|FxiOS/,
  Chrome: /Chrome|CriOS/,
  Safari: /Safari/,
};
const SYSTEMS: Signs = {
  iPhone: /iPhone/,
  iPad: /iPad/,
  Windows: /Windows/,
  Android: /Android/,
  Mac: /Macintosh/,
  ChromeOS: /CrOS/,
  Linux: /Linux/,
};
const foundIn = (userAgent: string, signs: Signs): string | undefined => Object.keys(signs).find((name) => signs[name]!.test(userAgent));

/** "Firefox on Windows". Of what we do not know it is the first product. */
export function browserInWords(userAgent: string): string {
  const browser = foundIn(userAgent, BROWSERS) ?? /^[^\s/(]{1,40}/.exec(userAgent)?.[0] ?? say('console.account.unknown');
  const system = foundIn(userAgent, SYSTEMS);
  return system === undefined ? browser : say('console.account.browserOn', { browser, system });
}
