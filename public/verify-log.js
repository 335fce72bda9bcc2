// The button "Verify in this browser": reads the log page by page, recomputes its chain here, and says what it found.

/** `form` asks for the rows after a position; `verifier` is the address of verify-chain.js. */
export async function start(form) {
  // Browsers have it on pages that came over https, and on those of the machine itself.
  if (!globalThis.crypto?.subtle) return;
  const verifier = await import(form.dataset.verifier);
  const [said, button] = [form.querySelector('output'), form.querySelector('button')];
  const texts = JSON.parse(form.dataset.texts);
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    say(said, '', texts.reading);
    try {
      const [kind, text] = await verify(form, texts, verifier, (count) => say(said, '', filled(texts.soFar, [counted(count)])));
      say(said, kind, text);
    } catch (error) {
      say(said, 'warning', filled(texts.failed, [error.message]));
    }
    button.disabled = false;
  });
}

function say(output, kind, text) {
  output.className = kind;
  output.textContent = text;
}

const filled = (text, values) => text.replace(/\{(\d)\}/g, (_all, index) => values[index]);
const counted = (count) => count.toLocaleString(document.documentElement.lang);

/** What is wrong, in the language of the page: the verification says it in English. */
function wrong(texts, { message }, count) {
  const values = [];
  const text = message.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+/g, (value) => `{${values.push(value) - 1}}`);
  return ['error', filled(texts.fault, [filled(texts.faults[text] ?? text, values), counted(count)])];
}

async function verify(form, texts, { CHAIN_START, verifyChain, faultAtEnd }, progress) {
  const known = headsIn(document.getElementById('head').value);
  if (!known) return ['error', texts.head];
  let [head, position] = [CHAIN_START, ''];
  for (;;) {
    const read = { last: undefined };
    const verdict = await verifyChain(rowsOf(await ask(form, texts, position), texts, read), head, known);
    head = verdict.head;
    if (verdict.fault) return wrong(texts, verdict.fault, head.sequence);
    if (!read.last) break;
    position = `${read.last.createdAt}_${read.last.id}`;
    progress(head.sequence);
  }
  const end = known.length > 0 ? faultAtEnd(known, head) : null;
  if (end) return wrong(texts, end, head.sequence);
  return ['notice', filled(texts.verified, [counted(head.sequence), `${head.sequence}:${head.hash}`])];
}

function headsIn(text) {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return hash ? [{ sequence: Number(sequence), hash }] : text.trim() === '' ? [] : undefined;
}

/** The rows after a position, as the service sends them. */
async function ask(form, texts, after) {
  const body = new URLSearchParams(new FormData(form));
  body.set('after', after);
  const answer = await fetch(form.action, { method: 'POST', body, redirect: 'error' });
  if (!answer.ok || !answer.headers.get('content-type').startsWith('application/jsonl'))
    throw new Error(filled(texts.answered, [answer.status]));
  return answer.body;
}

/** The rows of a body, one by one while it arrives. */
async function* rowsOf(body, texts, read) {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines) yield (read.last = JSON.parse(line));
    }
  } finally {
    // What follows a fault is not read.
    await reader.cancel();
  }
  if (rest !== '') throw new Error(texts.cut);
}
