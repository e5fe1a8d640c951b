import type { Both } from '@parcelway/page/languages';

export const signIn = {
  title: ['Sign in to the station', '登录工作台'],
  lead: ['Scan, weigh, photograph and label parcels with a scanner and a keyboard.', '用扫描枪和键盘完成扫描、称重、拍照和打印面单。'],
  key: ['Warehouse key', '仓库密钥'],
  shape: ['A warehouse key starts with pf_test_ or pf_live_. You can scan it.', '仓库密钥以 pf_test_ 或 pf_live_ 开头，可用扫描枪录入。'],
  show: ['Show key', '显示密钥'],
  hint: [
    'The key is kept only in the memory of this page. Reloading the page, closing it or signing out removes the key. Waiting reports stay on this device.',
    '密钥只保存在本页内存中，刷新、关闭页面或退出后即被清除。待发送的记录保留在本设备上。',
  ],
  refused: [
    'You were signed out: the key has expired or has been revoked. Waiting reports are kept. Sign in to send them.',
    '您已退出：密钥已过期或已被吊销。待发送的记录已保留，重新登录后继续发送。',
  ],
} as const;

export const failures = {
  offline: ['Cannot reach the platform. Check the network, then try again.', '无法连接到平台。请检查网络后重试。'],
  unreadable: ['The response did not come from the platform. A proxy may have sent it.', '响应并非来自平台，可能来自中间代理。'],
  badKey: [
    'This key is invalid, expired, revoked, or belongs to the other environment. Scan it again, or ask the operator for a new key.',
    '密钥无效、已过期、已被吊销，或属于另一环境。请重新扫描，或向运营方索取新的密钥。',
  ],
  merchantKey: ['This page is for warehouses. Sign in with the key of a warehouse.', '本页面面向仓库。请使用仓库的密钥登录。'],
  noPermission: [
    'This key does not have the required permission. Use a key with this scope:',
    '该密钥没有此项权限。请使用具有以下权限范围的密钥：',
  ],
  storage: [
    'This browser does not store data on the device, for example in a private window. Use a normal window.',
    '此浏览器不在设备上保存数据（例如无痕窗口）。请使用普通窗口。',
  ],
} as const;

export const reports = {
  title: ['Reports on this device', '本设备上的记录'],
  none: ['No reports are waiting on this device.', '本设备上没有待发送的记录。'],
  waiting: ['Waiting, in this order', '待发送（按此顺序）'],
  refused: ['Rejected: fix or delete', '被拒绝：请修正或删除'],
  fix: ['Fix', '修正'],
  drop: ['Delete', '删除'],
  dropSure: ['Delete permanently?', '确定永久删除？'],
  sendAgain: ['Send again', '重新发送'],
  withoutPhotos: ['Without photos', '不附照片'],
  photoLost: ['The photo is no longer on this device. Send the report without it.', '照片已不在本设备上。请不附照片发送该记录。'],
  more: ['and {0} more', '另有 {0} 条'],
} as const;

export const fields: Readonly<Record<string, Both>> = {
  express_no: ['Scanned number', '扫描的号码'],
  forecast_no: ['Forecast number', '预报号'],
  weight_kg: ['Weight in kg', '重量（千克）'],
  length_cm: ['Length in cm', '长（厘米）'],
  width_cm: ['Width in cm', '宽（厘米）'],
  height_cm: ['Height in cm', '高（厘米）'],
  carrier_code: ['Carrier code', '承运商代码'],
  tracking_number: ['Tracking number', '承运商单号'],
  text: ['Description', '说明'],
};

export const scale = {
  title: ['Connect a scale', '连接电子秤'],
  none: [
    'This browser cannot read a scale. Use Chrome or Edge on a computer, or type the weight.',
    '此浏览器无法读取电子秤。请使用电脑上的 Chrome 或 Edge，或手动输入重量。',
  ],
  speed: ['Baud rate', '串口速率（波特）'],
  hint: ['Lines such as “ST,GS,+ 1.234kg” are supported. 9600 is common.', '支持“ST,GS,+ 1.234kg”之类的数据行，通常为 9600。'],
  connect: ['Choose a port', '选择端口'],
  disconnect: ['Disconnect', '断开'],
  failed: ['The scale could not be opened. Another program may be using it.', '无法打开电子秤，可能被其他程序占用。'],
} as const;
