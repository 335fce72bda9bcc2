import { expect, it } from 'vitest';
import { inWording } from '../../../api/wording/spoken.js';
import { wordingIn } from '../../../api/wording/page-wording.js';
import { browserInWords } from './browser-in-words.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const ON_IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Chrome on Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`],
  ['Opera on Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`],
  ['Samsung Internet on Android', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ['Safari on iPhone', `${ON_IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', `${ON_IPHONE} CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`],
  ['Firefox on iPhone', `${ON_IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on iPad', 'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Version/16.6 Mobile/15E148 Safari/604.1'],
  [
    'Safari on Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  ['curl', 'curl/8.5.0'],
  ['node', 'node'],
  ['Unknown', ''],
  ['x'.repeat(40), 'x'.repeat(300)],
])('says %s', (said, userAgent) => {
  expect(browserInWords(userAgent)).toBe(said);
});

it('says it in the language of who reads', () => {
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  expect(inWording(wordingIn('fr'), () => browserInWords(agent))).toBe('Firefox sur Windows');
});
