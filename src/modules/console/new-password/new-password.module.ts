import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { NewPasswordLetters } from './new-password-letters.js';
import { NewPasswordMail } from './new-password-mail.js';
import { NewPasswordController } from './new-password.controller.js';
import { NewPasswords } from './new-password.service.js';

@Module({
  imports: [OrganizationModule, UsersModule, SessionsModule],
  controllers: [NewPasswordController],
  providers: [NewPasswords, NewPasswordMail, NewPasswordLetters],
})
export class NewPasswordModule {}
