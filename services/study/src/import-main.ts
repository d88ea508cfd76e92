import { runCommand } from '@lectern/serving';
import { runImportCommand } from './import-command';

runCommand(() => runImportCommand(process.argv.slice(2)));
