export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A port: how mail leaves. Without an implementation no mail is sent, and the operator passes invitations on by hand. */
export abstract class Mailer {
  /** Whether it is on its way. */
  abstract send(mail: Mail): Promise<boolean>;
}
