import { Injectable } from '@nestjs/common';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A port: how mail leaves. */
export abstract class Mailer {
  /** Whether it is on its way. Where it is not, whoever asked for it passes on by hand what stands in it. */
  abstract send(mail: Mail): Promise<boolean>;
}

/** Sends nothing, and says so. It does not write mails to the log either: there are secrets in them. */
@Injectable()
export class NoMailer extends Mailer {
  send(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
