import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Assets } from './assets.js';
import { Frame } from './frame.js';
import { Performer } from './performer.js';

/** What modules make their pages of the console with. */
@Global()
@Module({ controllers: [AssetsController], providers: [Assets, Frame, Performer], exports: [Assets, Frame, Performer] })
export class ConsoleKitModule {}
