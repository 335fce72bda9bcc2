import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FileExamination } from './file-examination.js';
import { FileStoreCalls } from './file-store-calls.js';
import { StoredFile } from './stored-file.entity.js';
import { FileRemoval, StoredFiles } from './stored-files.js';
import { StoredFilesRepository } from './stored-files.repository.js';

/** Files in the store of an extension. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([StoredFile])],
  providers: [FileStoreCalls, StoredFilesRepository, StoredFiles, FileRemoval, FileExamination],
  exports: [StoredFiles, FileRemoval, FileExamination],
})
export class FilesModule {}
