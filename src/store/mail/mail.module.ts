import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailOutbox, MailSender } from './mail-outbox.js';
import { OutgoingMail } from './outgoing-mail.entity.js';

/** Mail to people. */
@Global()
@Module({ imports: [TypeOrmModule.forFeature([OutgoingMail])], providers: [MailOutbox, MailSender], exports: [MailOutbox, MailSender] })
export class MailModule {}
