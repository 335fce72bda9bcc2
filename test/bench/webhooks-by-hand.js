// What the delivery worker is compared with: the minimum written by hand. It signs, posts with undici and inserts a row for each
// attempt. No leases, no retries, no tenants, no limits. In a process of its own, which is told what to send.
import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Agent, request } from 'undici';
import { v7 } from 'uuid';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

async function byHand({ targets, body, deliveries, concurrency }) {
  await pool.query(
    `CREATE TABLE IF NOT EXISTS by_hand (id uuid PRIMARY KEY, target text NOT NULL, status integer NOT NULL, duration_ms integer NOT NULL,
      at timestamptz NOT NULL)`,
  );
  const agent = new Agent({ pipelining: 1 });
  const secret = randomBytes(32);
  let next = 0;
  const worker = async () => {
    while (next < deliveries) {
      const index = next;
      next += 1;
      const [id, target] = [v7(), targets[index % targets.length]];
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
      const start = performance.now();
      const answer = await request(target, {
        method: 'POST',
        body,
        dispatcher: agent,
        headers: { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      });
      await answer.body.dump();
      await pool.query({
        name: 'record',
        text: 'INSERT INTO by_hand VALUES ($1, $2, $3, $4, now())',
        values: [id, target, answer.statusCode, Math.round(performance.now() - start)],
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await agent.close();
}

process.once('message', async (wanted) => {
  await byHand(wanted);
  process.send('done');
});
process.once('disconnect', () => pool.end());
process.send('ready');
