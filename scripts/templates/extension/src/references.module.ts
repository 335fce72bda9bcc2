import { Module } from '@nestjs/common';
import { ReferenceRules } from './reference-rules.js';

@Module({ providers: [ReferenceRules] })
export class ReferencesModule {}
