import { describeFaults } from '../support/faults/describe-faults.ts';

describeFaults({ isQuick: false });
