import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../discovery/ports.js';
import { Mailer, type Mail } from './mailer.js';

/** How long a mail server may be silent. */
const SILENCE_MS = 10_000;
const MAIL_FOLDER = 'mail';

/** Sends mail: by the port, or else by SMTP_URL. */
@Injectable()
export class MailSender {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  /** Whether this installation has a way to send mail. */
  get sendsMail(): boolean {
    return this.ports.only(Mailer) !== undefined || this.settings.smtpUrl !== undefined;
  }

  /** Returns whether the mail was accepted for sending: not where this installation sends no mail. Throws when sending fails. */
  async send(mail: Mail): Promise<boolean> {
    const own = this.ports.only(Mailer);
    if (own) return own.send(mail);
    const { smtpUrl: url } = this.settings;
    if (url === undefined) return false;
    const { createTransport } = await load();
    const limits = { connectionTimeout: SILENCE_MS, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS };
    await createTransport({ url, ...limits }).sendMail(this.messageOf(mail));
    return true;
  }

  /** Writes the mail to a file in DATA_DIR, and returns its path. */
  async write(mail: Mail, name: string): Promise<string> {
    const { createTransport } = await load();
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(this.messageOf(mail));
    const folder = join(this.settings.dataDir, MAIL_FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${name}.eml`);
    await writeFile(file, message as Buffer, { mode: 0o600 });
    return file;
  }

  private messageOf({ messageId, ...mail }: Mail) {
    return { from: this.settings.mailFrom, ...mail, ...(messageId !== undefined && { messageId }) };
  }
}

/** Most processes never send a mail. */
const load = () => import('nodemailer');
