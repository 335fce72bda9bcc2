// The button "Prove it in this browser" of an audit event: computes its hash here, follows the proof up to the root of a checkpoint, and
// checks who has signed that.

/** `form` asks for the event with its proof; `verifier` is the address of verify-chain.js. */
export async function start(form) {
  // Browsers have it on pages that came over https, and on those of the machine itself.
  if (!globalThis.crypto?.subtle) return;
  const { verifyInclusion } = await import(form.dataset.verifier);
  const [said, button] = [form.querySelector('output'), form.querySelector('button')];
  const texts = JSON.parse(form.dataset.texts);
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)), redirect: 'error' });
      if (!answer.ok) throw new Error(filled(texts.answered, [answer.status]));
      const { event: row, ...proof } = await answer.json();
      const noted = new FormData(form).get('key').trim();
      const { fault, head } = await verifyInclusion(row, proof, noted === '' ? proof.checkpoint.verifierKeys : [noted]);
      said.className = fault ? 'error' : 'notice';
      said.textContent = fault ? texts.fault : filled(texts.proven, [row.sequence, head.size, signers(proof.checkpoint.note)]);
    } catch (error) {
      said.className = 'warning';
      said.textContent = filled(texts.failed, [error.message]);
    }
    button.disabled = false;
  });
}

const filled = (text, values) => text.replace(/\{(\d)\}/g, (_all, index) => values[index]);

/** Ours is verified here; those of witnesses are named, and `claims audit verify` checks them. */
const signers = (note) => Array.from(note.matchAll(/^\u2014 (\S+) /gm), ([, name]) => name.split('/')[0]).join(', ');
