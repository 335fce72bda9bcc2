export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same words for mail programs that show HTML. */
  readonly html?: string;
  /** The same each time a mail is sent, so that mail programs show a repeated one once. */
  readonly messageId?: string;
}

/** A port: sends mail instead of SMTP_URL. */
export abstract class Mailer {
  /** Returns whether the mail was accepted for sending. */
  abstract send(mail: Mail): Promise<boolean>;
}
