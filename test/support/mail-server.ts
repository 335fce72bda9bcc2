import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: string[];
  readonly text: string;
}

/** A mail server that keeps what it gets. */
export async function startMailServer(port = 0): Promise<{ url: string; port: number; mails: ReceivedMail[]; close(): Promise<void> }> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  const listening = await new Promise<number>((resolve) => {
    const listener = server.listen(port, '127.0.0.1', () => resolve((listener.address() as { port: number }).port));
  });
  return {
    url: `smtp://127.0.0.1:${listening}`,
    port: listening,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
