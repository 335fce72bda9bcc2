export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A port: sends mail. Without an implementation no mail is sent, and the operator passes on the link of an invitation. */
export abstract class Mailer {
  /** Returns whether the mail was accepted for sending. */
  abstract send(mail: Mail): Promise<boolean>;
}
