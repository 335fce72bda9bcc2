export { SuppliersModule } from './suppliers.module.js';
export { SuppliersService } from './suppliers.service.js';
