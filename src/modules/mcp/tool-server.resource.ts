import { Injectable } from '@nestjs/common';
import { ProtectedResource } from '../../api/access/protected-resource.js';
import { Implements } from '../../store/discovery/ports.js';

/** Access tokens can be issued for the tool server. */
@Implements(ProtectedResource)
@Injectable()
export class ToolServerResource implements ProtectedResource {
  readonly path = '/mcp';
  readonly name = 'tool server';
}
