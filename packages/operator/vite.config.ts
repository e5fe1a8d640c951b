import { pageConfig } from '@parcelway/page/page-config';

export default pageConfig('operator');
