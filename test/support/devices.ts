import { expect } from 'vitest';
import type { TestApp } from './app.js';
import { ask, Browser, type aPartner } from './oauth.js';

type Partner = Awaited<ReturnType<typeof aPartner>>;

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A device asks for a code. */
export async function aDevice(app: TestApp, partner: Pick<Partner, 'application'>, wanted: Record<string, string> = {}) {
  const { status, text, body } = await ask(app, partner, wanted, '/oauth/device_authorization');
  expect(status, text).toBe(200);
  return { deviceCode: body.device_code!, userCode: body.user_code!, body };
}

/** The device asks for its tokens. */
export const poll = (app: TestApp, partner: Pick<Partner, 'application'>, deviceCode: string, headers: Record<string, string> = {}) =>
  ask(app, partner, { grant_type: DEVICE_GRANT, device_code: deviceCode }, '/oauth/token', headers);

/** The user enters the code, signs in if needed, and gives an answer. Returns the last page. */
export async function answerDevice(
  app: TestApp,
  { user }: Pick<Partner, 'user'>,
  userCode: string,
  answer: 'allow' | 'refuse' = 'allow',
  browser = new Browser(app.url),
) {
  let shown = await browser.submit(await browser.visit('/oauth/device'), { user_code: userCode });
  expect(shown.status, shown.text).toBe(200);
  shown = await browser.submit(shown, { user_code: userCode, confirm: 'yes' });
  if (shown.text.includes('name="password"'))
    shown = await browser.submit(shown, { do: 'sign-in', email: user.email, password: user.password });
  if (shown.text.includes('value="allow"')) shown = await browser.submit(shown, { do: answer });
  return shown;
}
