import type { Messages } from './en.ts';

export const reports: Messages['reports'] = {
  title: '本设备上的记录',
  none: '本设备上没有待发送的记录。',
  waiting: '待发送（按此顺序）',
  refused: '被拒绝：请修正或删除',
  fix: '修正',
  drop: '删除',
  dropSure: '确定永久删除？',
  sendAgain: '重新发送',
  withoutPhotos: '不附照片',
  close: '关闭',
  photoLost: '照片已不在本设备上。请不附照片发送该记录。',
  more: (count) => `另有 ${count} 条`,
};

export const fields: Messages['fields'] = {
  express_no: '扫描的号码',
  forecast_no: '预报号',
  weight_kg: '重量（千克）',
  length_cm: '长（厘米）',
  width_cm: '宽（厘米）',
  height_cm: '高（厘米）',
  carrier_code: '承运商代码',
  tracking_number: '承运商单号',
  text: '说明',
  reason: '原因',
};

export const scale: Messages['scale'] = {
  title: '连接电子秤',
  none: '此浏览器无法读取电子秤。请使用电脑上的 Chrome 或 Edge，或手动输入重量。',
  speed: '串口速率（波特）',
  hint: '支持“ST,GS,+ 1.234kg”之类的数据行，通常为 9600。',
  connect: '选择端口',
  disconnect: '断开',
  failed: '无法打开电子秤，可能被其他程序占用。',
  close: '关闭',
};
