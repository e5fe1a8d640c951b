import type { intakeWarningRules, WarehouseEventType } from '@parcelway/contracts/warehouse-api';
import { type Localized, type Named, plural, wordsIn } from '@parcelway/page/languages';
import { commonWords } from '@parcelway/page/messages/common';
import type { Candidate, Question } from '../domain/bench.ts';
import type { Command } from '../domain/entry.ts';
import type { ExceptionReason } from '../domain/report.ts';
import { failures, fields, reports, scale, signIn } from './dialogs.ts';
import { notices } from './notices.ts';
import { parcelWords } from './words-parcel.ts';

const words = {
  ...commonWords,
  title: ['Packing station', '打包工作台'],
  environments: { sandbox: ['Sandbox', '沙箱'], production: ['Production', '生产'] },
  guide: ['Guide', '使用指南'],
  signIn,
  failures: { ...commonWords.failures, ...failures },
  network: {
    online: ['Online', '在线'],
    offline: ['Offline', '离线'],
    offlineLead: [
      'No network. Keep working: reports are saved on this device and sent when the network is back.',
      '网络已断开。请继续工作：记录保存在本设备上，网络恢复后自动发送。',
    ],
    waiting: ['{0|report waiting|reports waiting}', '{0} 条记录待发送'],
    allSent: ['All reports sent', '全部已发送'],
    nothingWaits: ['No reports waiting', '没有待发送的记录'],
    photos: [
      (count: number, megabytes: string) => plural(count, 'photo', 'photos') + (megabytes === '' ? '' : `, ${megabytes} MB`),
      (count: number, megabytes: string) => `${count} 张照片${megabytes === '' ? '' : `，${megabytes} MB`}`,
    ],
    refused: ['{0|report rejected|reports rejected}', '{0} 条记录被拒绝'],
    nearlyFull: ['The storage of this device is almost full. Restore the network soon.', '本设备的存储即将用尽，请尽快恢复网络。'],
    full: ['The storage of this device is full. Restore the network to continue.', '本设备的存储已满。请恢复网络后继续。'],
    storeFails: [
      'This device cannot save or read its reports. The page keeps trying. If this continues, free some storage space and reload the page.',
      '本设备无法保存或读取记录，页面会继续尝试。如仍失败，请清理存储空间并刷新页面。',
    ],
    stopped: [
      'Reports are not sent: this key is not allowed to report. Sign out, then sign in with a key that has this scope: warehouse:write',
      '记录未发送：此密钥无权上报。请退出，并使用具有以下权限范围的密钥登录：warehouse:write',
    ],
  },
  prompts: {
    scan: ['Scan a parcel', '请扫描包裹'],
    looking: ['Looking up…', '查询中…'],
    checking: ['Reading the parcel again…', '正在重新读取包裹…'],
    saving: ['Saving…', '保存中…'],
    choose: ['Which parcel is it? Type its number', '是哪一个？请输入序号'],
    confirm: ['Is it this parcel? Press Enter to confirm', '是此包裹吗？按 Enter 确认'],
    unknown: ['No forecast. Press Enter to weigh it', '未预报。按 Enter 称重'],
    carriersNumber: ['Is it the tracking number? Press Enter to confirm', '是承运商单号吗？按 Enter 确认'],
    weight: ['Weight in kg', '重量（千克）'],
    weightOrScale: ['Weight in kg, or Enter to read the scale', '重量（千克），或按 Enter 读取电子秤'],
    size: ['Length × width × height in cm', '长 × 宽 × 高（厘米）'],
    ready: ['Press Enter to finish the parcel', '按 Enter 完成此包裹'],
    cancelled: ['Cancelled by the merchant. Press Esc to put it aside', '商家已取消。按 Esc 搁置'],
  },
  examples: {
    scan: ['for example SF1234567890', '例如 SF1234567890'],
    weight: ['for example 1.25 or 800 g', '例如 1.25 或 800 g'],
    size: ['for example 30x20x10', '例如 30x20x10'],
  },
  questions: {
    reason: ['What is wrong? Type a number', '有什么问题？请输入序号'],
    'exception-text': ['Describe it for the merchant, or press Enter', '请向商家说明，或按 Enter'],
    'hold-reason': ['Why is it on hold? Type a reason, or press Enter', '为何扣留？请输入原因，或按 Enter'],
    carrier: ['Carrier code, or scan the tracking number of the carrier', '承运商代码，或扫描承运商单号'],
    'tracking-number': ['Scan the tracking number of the carrier', '请扫描承运商单号'],
    count: ['Scan each piece, or type a quantity', '逐件扫描，或输入数量'],
    corrected: ['Corrected by the merchant. Press D again to dispatch it', '商家已更正。再按 D 发货'],
  } satisfies Named<Question['ask']>,
  detectedCarrier: ['Enter: use {0}, as the tracking number says', '按 Enter 使用 {0}（根据单号识别）'],
  confirmCarrier: ['Enter: use {0}', '按 Enter 使用 {0}'],
  lastCarrier: ['Enter: use {0} again', '按 Enter 沿用 {0}'],
  sameSize: ['=: use {0} again', '输入 = 沿用 {0}'],
  cancelledWeight: ['Do not weigh or send it. If you type a weight anyway, it is saved.', '请勿称重或发货。如仍输入重量，将予以保存。'],
  corrects: ['Type one number to correct the weight, three numbers to correct the size.', '输入一个数可更正重量，输入三个数可更正尺寸。'],
  letterEnter: ['Keyboard: type the letter, then press Enter.', '用键盘：输入字母，再按 Enter。'],
  idle: {
    title: ['Ready for the next parcel', '可以扫描下一个包裹'],
    hint: [
      'Scan the label: a tracking number, forecast number, order number or product barcode.',
      '扫描面单上的物流单号、预报号、PO 单号，或商品条码。',
    ],
    expected: [
      '{0|announced parcel has not left the warehouse|announced parcels have not left the warehouse}',
      '{0} 个已预报的包裹尚未离仓',
    ],
    steps: [
      ['Scan', 'Weight', 'Size', 'Enter'],
      ['扫描', '重量', '尺寸', '回车'],
    ],
  },
  choose: {
    title: [
      (count: number) => (count === 1 ? 'One parcel contains this product' : `${count} parcels match this scan`),
      (count: number) => (count === 1 ? '有一个包裹包含此商品' : `${count} 个包裹与此扫描相符`),
    ],
    more: [
      'There are more matches. Scan another number of the parcel to narrow them down.',
      '还有更多。请扫描包裹上的其他号码以缩小范围。',
    ],
    none: ['None of these: report it under the scanned number', '都不是：按扫描的号码上报'],
  },
  unknown: {
    title: ['No forecast found', '未找到预报'],
    online: [
      'No merchant has announced this number to your warehouse. If you weigh it, it is reported as an unclaimed parcel. It waits for its forecast, or for you to claim it.',
      '没有商家向本仓库预报此号码。可按此号码称重：将作为无主包裹上报，等待其预报或由您认领。',
    ],
    offline: [
      'There is no network, and this number is not in the list on this device. Your reports are matched to the forecast later.',
      '当前没有网络，此号码也不在本设备的列表中。您的记录稍后会匹配预报。',
    ],
    weigh: ['Weigh it as an unclaimed parcel', '按无主包裹称重'],
    report: ['Report an exception', '上报异常'],
  },
  matchedBy: {
    label: ['the code on the carton label', '箱标上的编码'],
    forecast_no: ['the forecast number', '预报号'],
    sscc: ['the SSCC on the carton label', '箱标上的 SSCC'],
    claimed_number: ['a number that was claimed for it', '已认领到该预报的号码'],
    tracking_number: ['a tracking number declared in the forecast', '其申报的物流单号'],
    po_number: ['the order number of the merchant', '商家的 PO 单号'],
    barcode: ['the barcode of a product in it', '其中商品的条码'],
    sku_code: ['the SKU of a product in it', '其中商品的 SKU'],
  } satisfies Named<Candidate['matched_by']>,
  measure: {
    title: ['Measure', '测量'],
    weight: ['Weight', '重量'],
    size: ['Size', '尺寸'],
    moving: ['not stable…', '未稳定…'],
    stable: ['stable', '已稳定'],
  },
  photos: {
    title: ['Photos', '照片'],
    none: ['No photos yet', '还没有照片'],
    live: ['Live: press C to take a photo', '实时画面：按 C 拍照'],
    count: ['{0|photo|photos}', '{0} 张照片'],
    camera: ['Camera', '相机'],
    remove: ['Remove photo {0}', '删除照片 {0}'],
    alt: ['Photo {0} of this parcel', '此包裹的照片 {0}'],
    starting: ['Starting the camera', '相机启动中'],
    denied: [
      'The browser does not allow access to the camera. Allow it for this page, or choose a file.',
      '浏览器不允许使用相机。请为本页授权，或从文件选择照片。',
    ],
    notAPicture: ['The browser cannot read this file as a picture.', '浏览器无法读取此文件为图片。'],
  },
  documents: ['Print', '打印'],
  actions: ['Actions', '操作'],
  commands: {
    label: ['Shipping label', '面单'],
    'packing-list': ['Packing list', '装箱单'],
    'product-label': ['Product label', '商品标签'],
    'product-labels': ['Labels per piece', '逐件商品标签'],
    'packing-slip': ['Packing slip', '随货清单'],
    camera: ['Photo', '拍照'],
    file: ['File', '文件'],
    count: ['Count', '清点'],
    exception: ['Exception', '异常'],
    hold: ['Hold', '扣留'],
    dispatch: ['Dispatch', '发货'],
    processing: ['Start processing', '开始处理'],
    'put-away': ['Put away', '上架'],
    end: ['End without weighing', '不称重结束'],
    seen: ['Seen', '已知悉'],
    scale: ['Scale', '电子秤'],
    unclaimed: ['Unclaimed parcels', '无主包裹'],
    reports: ['Reports', '记录'],
  } satisfies Named<Command>,
  escape: ['Put aside', '搁置'],
  finish: ['Finish', '完成'],
  exceptionReasons: {
    damaged: ['Damaged', '破损'],
    wrong_content: ['Wrong content', '内容不符'],
    missing_items: ['Missing items', '缺件'],
    unreadable_label: ['Unreadable label', '面单无法识别'],
    prohibited: ['Prohibited goods', '禁运品'],
    other: ['Other', '其他'],
  } satisfies Named<ExceptionReason>,
  reportTypes: {
    arrival: ['Arrival', '到仓'],
    weighing: ['Weighing', '称重'],
    photo: ['Photo', '照片'],
    processing: ['Processing started', '开始处理'],
    put_away: ['Put away', '上架'],
    dispatch: ['Dispatch', '发货'],
    exception: ['Exception', '异常'],
    hold: ['Hold', '扣留'],
    release: ['Release', '放行'],
    count: ['Count', '清点'],
  } satisfies Named<WarehouseEventType | 'count'> as Named<string>,
  notices,
  reportCount: ['{0|report|reports}', '{0} 条记录'],
  done: [
    (weightKg: number | undefined, photos: number) =>
      `${weightKg === undefined ? 'not weighed' : `${weightKg} kg`}, ${plural(photos, 'photo', 'photos')}`,
    (weightKg: number | undefined, photos: number) => `${weightKg === undefined ? '未称重' : `${weightKg} 公斤`}，${photos} 张照片`,
  ],
  printing: ['Printing: {0}', '打印中：{0}'],
  printFailed: ['The document could not be printed here.', '无法在此打印该单据。'],
  openInstead: ['Open it in a new tab', '在新标签页中打开'],
  recent: {
    title: ['Recent reports', '最近的记录'],
    none: ['No reports yet', '还没有记录'],
    states: {
      waiting: ['Waiting', '待发送'],
      sent: ['Sent', '已发送'],
      refused: ['Rejected', '被拒绝'],
      warned: ['Check', '请查看'],
      claimed: ['Claimed', '已认领'],
      dismissed: ['Dismissed', '已放弃'],
    },
    claimedFor: ['Claimed for {0}', '已认领到 {0}'],
  },
  warnings: {
    ambiguous: ['Several forecasts declare this number. Press A to claim the parcel.', '多个预报申报了此号码，请按 A 认领。'],
    no_forecast: ['Unclaimed: no forecast yet. Press A to see the list.', '无主包裹：等待其预报。按 A 查看。'],
    implausible: [
      'The weight or size is unusual. Check it. If it is wrong, weigh the parcel again.',
      '重量或尺寸异常。请核对，如有误请重新称重。',
    ],
    takes_no_dispatch: ['This parcel does not allow dispatch.', '此包裹不可发货。'],
    event_id_reused: ['The platform already has another report with this ID.', '平台已有同一编号的其他记录。'],
    on_hold: ['It was dispatched although it is on hold.', '包裹被扣留，但已上报发货。'],
  } satisfies Named<Exclude<(typeof intakeWarningRules)[number], 'unknown_field'>> as Named<string>,
  reports,
  fields,
  scale,
  ...parcelWords,
} as const;

export type Messages = Localized<typeof words>;
export const en: Messages = wordsIn(words, 0);
export const zh: Messages = wordsIn(words, 1);
