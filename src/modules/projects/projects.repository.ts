import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { Project } from './project.entity.js';

@Injectable()
export class ProjectsRepository extends TenantRepository<Project> {
  constructor(database: Database) {
    super(database, Project, { keepsAll: true, projectIn: 'id' });
  }
}
