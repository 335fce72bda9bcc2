/** A call that a test has made, and its answer. */
interface Exchange {
  readonly call: string;
  readonly body: object | string | undefined;
  readonly status: number;
  readonly answer: string;
}

const SHOWN = 4;
const MAX_CHARACTERS = 2000;
let last: Exchange[] = [];

/** Remembered until the test ends: setup.ts prints the last ones of a test that fails. */
export function noteExchange(exchange: Exchange): void {
  last = [...last.slice(1 - SHOWN), exchange];
}

export function takeExchanges(): string {
  const taken = last;
  last = [];
  return taken.map(shown).join('\n');
}

function shown({ call, body, status, answer }: Exchange): string {
  const sent = typeof body === 'object' ? JSON.stringify(body) : body;
  return [`> ${call}`, ...(sent === undefined ? [] : [`> ${cut(sent)}`]), `< ${status} ${cut(answer)}`].join('\n');
}

const cut = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text);
