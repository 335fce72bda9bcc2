import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Assets } from './assets.js';
import { Frame } from './frame.js';
import { OpenPages } from './open-pages.js';
import { Performer } from './performer.js';

const PROVIDED = [Assets, Frame, OpenPages, Performer];

/** What modules make their pages of the console with. */
@Global()
@Module({ controllers: [AssetsController], providers: PROVIDED, exports: PROVIDED })
export class ConsoleKitModule {}
