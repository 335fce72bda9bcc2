import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Assets } from './assets.js';
import { Frame } from './frame.js';
import { LostConsolePage } from './lost-console-page.js';
import { ConsoleDoor } from './console-door.js';
import { OwnForms } from './own-form.js';

const PROVIDED = [Assets, Frame, ConsoleDoor, OwnForms];

/** What modules make their pages of the console with. */
@Global()
@Module({ controllers: [AssetsController], providers: [...PROVIDED, LostConsolePage], exports: PROVIDED })
export class ConsoleKitModule {}
