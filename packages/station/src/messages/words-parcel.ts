import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { WaitingReason } from '@parcelway/contracts/unclaimed-api';
import { type Both, type Named, plural } from '@parcelway/page/languages';
import type { ChangedField } from '../domain/bench.ts';
import type { UnclaimedDoing } from '../domain/unclaimed.ts';

export const parcelWords = {
  parcel: {
    forecast: ['Forecast', '预报'],
    merchant: ['Merchant', '商家'],
    due: ['Due', '预计到仓'],
    cartons: ['Cartons', '箱数'],
    scanned: ['Scanned', '扫描号码'],
    unclaimed: ['No forecast', '没有预报'],
    listOnly: ['No network: items and documents are not available.', '没有网络：商品和单据不可用。'],
    item: ['Product', '商品'],
    sku: ['SKU', 'SKU'],
    quantity: ['Qty', '数量'],
    barcode: ['Barcode', '条码'],
    items: [(count: number) => plural(count, 'item', 'items'), (count: number) => `${count} 种商品`],
    types: { 1: ['Stock replenishment', '备货入仓'], 2: ['Direct mail', '直邮贴单'] } as Readonly<Record<number, Both>>,
    statuses: {
      1: ['Accepted', '已受理'],
      2: ['Arrived', '已到仓'],
      3: ['Weighed', '已称重'],
      4: ['Processing', '处理中'],
      5: ['Shipped', '已发货'],
      6: ['Completed', '已完成'],
      7: ['Cancelled', '已取消'],
    } satisfies Named<ForecastStatus> as Named<number>,
    onHold: ['On hold', '已扣留'],
    onHoldHint: ['Do not send it. Press H to release it.', '请勿发出。按 H 放行。'],
    exception: ['Exception', '异常'],
    cancelled: ['The merchant has cancelled this parcel', '商家已取消此包裹'],
    gone: ['This parcel has already left the warehouse', '此包裹已离开仓库'],
    weighedAs: [
      (weight: string, size: string) => `Last weighing: ${weight}, ${size}`,
      (weight: string, size: string) => `此前称重：${weight}，${size}`,
    ],
  },
  correction: {
    title: ['The merchant corrected this parcel. Print the documents again.', '商家已更正此包裹。请重新打印单据。'],
    printedBefore: [
      (documents: string) => `Printed here before the correction, now out of date: ${documents}`,
      (documents: string) => `更正前已在此打印，现已过时：${documents}`,
    ],
    fields: {
      shipping_label: ['New shipping label', '新面单'],
      shipping_note: ['New packing list', '新装箱单'],
      items: ['Items', '商品'],
      due_date: ['Due', '预计到仓'],
      carton_count: ['Cartons', '箱数'],
      tracking_numbers: ['Tracking numbers', '物流单号'],
      other: ['Other changes (details not available)', '其他更改（无法获取详情）'],
    } satisfies Named<ChangedField>,
  },
  count: {
    line: ['Line', '行'],
    counted: ['Counted', '清点'],
    difference: ['Difference', '差异'],
    extra: ['Not in the forecast', '不在预报中'],
    total: ['Total', '合计'],
    end: ['End the count', '结束清点'],
    again: ['Start again', '重新清点'],
    marked: [
      (sku: string) => `A number sets the quantity of ${sku}. Type #2 to select line 2, +1 or -1 to correct.`,
      (sku: string) => `输入数字即设为 ${sku} 的数量。输入 #2 选择第 2 行，+1 或 -1 更正。`,
    ],
  },
  unclaimed: {
    title: ['Unclaimed parcels', '无主包裹'],
    none: ['There are no unclaimed parcels.', '没有无主包裹。'],
    nothing: ['The list is empty. Press Esc to go back', '列表为空。按 Esc 返回'],
    reasons: {
      no_forecast: ['No forecast found', '未找到预报'],
      ambiguous: ['Several forecasts declare this number', '多个预报申报了此号码'],
      takes_no_dispatch: ['It was dispatched, but its forecast does not allow dispatch', '已上报发货，但其预报不可发货'],
    } satisfies Named<WaitingReason>,
    prompts: {
      list: ['Scan a parcel, or type its number in the list', '请扫描包裹，或输入序号'],
      whose: ['Which forecast? Scan its forecast or order number', '属于谁？请扫描预报号或 PO 单号'],
      confirm: ['Press Enter to claim it', '按 Enter 认领'],
      reason: ['Why do you dismiss it?', '为何放弃？'],
      busy: ['Please wait…', '请稍候…'],
    } satisfies Named<UnclaimedDoing['what']>,
    candidates: [(count: number) => plural(count, 'matching forecast', 'matching forecasts'), (count: number) => `${count} 个候选预报`],
    waits: ['Waiting since', '等待自'],
    reported: ['Reports', '已上报'],
    older: ['Previous page', '上一页'],
    newer: ['Next page', '下一页'],
    choices: ['Possible forecasts', '可能所属的预报'],
    noChoices: ['Scan or type a forecast number, order number or carton label.', '请扫描或输入预报号、PO 单号或箱标编码。'],
    declares: ['declares this number', '申报了此号码'],
    question: [(number: string) => `Does ${number} belong to this forecast?`, (number: string) => `${number} 属于此预报吗？`],
    effect: [
      (count: number) =>
        `If you claim it, ${plural(count, 'report is', 'reports are')} applied to this forecast. Later reports under this number are applied to it too.`,
      (count: number) => `认领后，${count} 条记录以及今后此号码的记录都归入此预报。`,
    ],
    dismissal: [
      (number: string) => `Dismiss ${number}: its reports are kept, without a forecast`,
      (number: string) => `放弃 ${number}：其记录仍保留，但没有预报`,
    ],
    claim: ['Claim', '认领'],
    dismiss: ['Dismiss', '放弃'],
    back: ['Back', '返回'],
  },
} as const;
