// Preloaded into a server by `npm run bench -- --profile`: the message `begin` starts a processor profile, and `write` writes it to
// a file. Chrome's developer tools and speedscope show such a file as a flame graph.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const SAMPLE_EVERY_US = 200;
const session = new Session();
session.connect();

process.on('message', (message) => {
  void (message === 'begin' ? begin() : write(message.write)).then(() => process.send('done'));
});
// The channel alone must not keep the server from ending.
process.channel?.unref();

async function begin() {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  await session.post('Profiler.start');
}

async function write(file) {
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(file, JSON.stringify(profile));
}
