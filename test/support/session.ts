import pg from 'pg';

/** A session of Postgres. Cut off, its queries fail; an 'error' event without a listener would fail the run besides. */
export async function openSession(at: string | pg.ClientConfig): Promise<pg.Client> {
  const session = new pg.Client(at).on('error', () => undefined);
  await session.connect();
  return session;
}

export async function inSession<Result>(at: string | pg.ClientConfig, work: (session: pg.Client) => Promise<Result>): Promise<Result> {
  const session = await openSession(at);
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}
