import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { DisabledReason, EndpointStatus } from '@parcelway/contracts/webhook-endpoint-api';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';
import { type Both, type Named, plural } from '@parcelway/page/languages';
import { latest } from './words-files.ts';

export const webhookWords = {
  endpoints: {
    title: ['Webhook endpoints', 'Webhook 端点'],
    create: ['New endpoint', '新建端点'],
    url: ['URL', '回调地址'],
    events: ['Events', '事件'],
    health: ['Health', '健康状况'],
    state: ['State', '状态'],
    states: {
      enabled: ['Enabled', '已启用'],
      paused: ['Paused', '已暂停'],
      disabled: ['Disabled', '已停用'],
    } satisfies Named<EndpointStatus> as Named<string>,
    healths: {
      ok: ['Healthy', '正常'],
      failing: ['Failing', '持续失败'],
    } as Readonly<Record<string, Both>>,
    empty: ['No endpoints yet', '还没有端点'],
    emptyHint: [
      'An endpoint is a URL of your own. The platform sends signed events to it. Create an endpoint to receive weighings and tracking changes.',
      '端点是您的回调地址，平台会向其推送带签名的事件。新建端点即可接收称重与轨迹通知。',
    ],
  },
  endpoint: {
    settings: ['Settings', '设置'],
    deliveries: ['Deliveries', '投递记录'],
    description: ['Description', '描述'],
    filter: ['Event filter', '事件过滤'],
    filterNone: ['All events of the subscribed types', '所订阅类型的全部事件'],
    headers: ['Custom headers', '自定义请求头'],
    metadata: ['Metadata', '元数据'],
    payload: ['Payload', '推送内容'],
    payloads: {
      thin: ['Thin: what happened to which parcel', '精简：仅说明哪个包裹发生了什么'],
      full: ['Full: also the result of the query', '完整：附带查询接口返回的内容'],
    } as Readonly<Record<string, Both>>,
    rateLimit: ['Rate limit', '速率限制'],
    perSecond: ['{0} per second', '每秒 {0} 次'],
    noLimit: ['No limit: as fast as the receiver responds', '不限：以接收方的响应速度为准'],
    edit: ['Edit', '编辑'],
    pause: ['Pause', '暂停'],
    resume: ['Resume', '恢复'],
    enable: ['Enable', '启用'],
    disable: ['Disable', '停用'],
    rotate: ['Rotate secret', '轮换签名密钥'],
    test: ['Send test event', '发送测试事件'],
    replay: ['Replay', '重放'],
    changedTo: [(state: string) => `The endpoint is now ${state.toLowerCase()}.`, (state: string) => `端点${state}。`],
    deleted: ['Endpoint deleted.', '端点已删除。'],
    deleteTitle: ['Delete this endpoint?', '删除该端点？'],
    deleteText: [
      'Its deliveries are deleted too, and no more events are sent to it. This cannot be undone.',
      '其投递记录会一并删除，此后不再向其推送。此操作无法撤销。',
    ],
    disableTitle: ['Disable this endpoint?', '停用该端点？'],
    disableText: [
      'Events are held and not sent. They stay held when you enable the endpoint again, until you replay them. To stop for a short time, pause the endpoint instead.',
      '停用期间事件会被保留但不推送；重新启用后也需重放才会发送。如只是临时停止，请使用暂停。',
    ],
    rotateTitle: ['Rotate the signing secret?', '轮换签名密钥？'],
    rotateText: ['A new secret is created. It is shown only once.', '将生成新的密钥，且只显示一次。'],
    rotateBoth: [
      'For 24 hours, every attempt is signed with both secrets, so that your receiver can switch to the new one without missing an event.',
      '此后 24 小时内，每次投递同时使用新旧两个密钥签名，接收方可以平滑切换。',
    ],
    rotateAgain: [
      'The previous secret is valid until {0}. If you rotate now, it becomes invalid immediately: a receiver that has only this secret rejects every delivery. The current secret stays valid for 24 hours.',
      '此前的密钥有效期至 {0}。现在轮换会使其立即失效：仍只使用该密钥的接收方将拒绝所有投递。当前密钥在 24 小时内仍然有效。',
    ],
    rotateAlone: [
      'Only the new secret is valid from now on. Your receiver rejects every delivery until it has the new secret. You can replay the deliveries that fail in the meantime.',
      '此后仅新密钥有效：接收方更换密钥之前会拒绝所有投递。其间失败的投递可以重放。',
    ],
    endFormer: ['Revoke the current secret immediately (it has leaked)', '立即吊销当前密钥（已泄露）'],
    disabledBecause: {
      tenant: [
        'You disabled this endpoint. Its events are held until you enable it and replay them.',
        '由您停用。事件会保留，直到您启用端点并重放。',
      ],
      gone: [
        'The receiver returned 410 Gone, so the platform disabled this endpoint. Enable it when the receiver is available again, then replay.',
        '接收方返回 410 Gone，平台已停用该端点。接收方恢复后请启用，再进行重放。',
      ],
      failing: [
        'Every attempt failed for several days, so the platform disabled this endpoint. Fix the receiver, enable the endpoint, then replay.',
        '连续多日所有投递均失败，平台已停用该端点。请修复接收方，启用端点，再进行重放。',
      ],
      pause_expired: [
        'This endpoint was paused for too long, so the platform disabled it. Enable it, then replay the held events.',
        '暂停时间过长，平台已停用该端点。请启用端点，再重放被保留的事件。',
      ],
    } satisfies Named<DisabledReason> as Named<string>,
    pausedUntil: [
      'Paused: events wait and are sent when you resume. If you do not resume, the endpoint is disabled {0}.',
      '已暂停：事件等待中，恢复后发送。若不恢复，{0}端点将被停用。',
    ],
    failingSince: ['Every attempt has failed since {0} ({1}).', '自 {0} 起所有投递均失败（{1}）。'],
    slowedUntil: [
      'Your receiver failed 20 times in a row, or asked the platform to slow down (429, 502, 504 or Retry-After). Sending continues {0}.',
      '接收方连续失败 20 次，或要求降低速率（429、502、504 或 Retry-After）：暂停发送，{0}继续。',
    ],
    bothSecretsUntil: ['Both secrets are valid until', '新旧密钥同时有效至'],
    lastFault: ['Last failed attempt:', '最近一次失败的尝试：'],
    seeDelivery: ['Show this delivery', '查看该投递'],
    disableAt: ['If no attempt succeeds, the endpoint is disabled {0}.', '如仍无一次成功，{0}端点将被停用。'],
  },
  endpointForm: {
    editTitle: ['Endpoint settings', '端点设置'],
    create: ['Create endpoint', '创建端点'],
    urlHint: [
      'A public https address. The sandbox can be configured to reach your own computer.',
      '须为 https 且为公网地址。沙箱可以配置为允许访问您的本机。',
    ],
    descriptionHint: ['For your team', '供团队内部参考'],
    events: ['Events to send', '推送的事件'],
    types: {
      'parcel.weighed': ['The warehouse has weighed the parcel', '仓库已称重'],
      'tracking.changed': ['The tracking has changed', '物流轨迹有更新'],
      'forecast.accepted': ['A parcel was submitted', '包裹已提交'],
      'forecast.corrected': ['A parcel was corrected', '包裹已更正'],
      'forecast.cancelled': ['A parcel was cancelled', '包裹已取消'],
      'parcel.arrived': ['The parcel has arrived at the warehouse', '包裹已到仓'],
      'parcel.photographed': ['The warehouse has taken a photo', '仓库已拍照'],
      'parcel.put_away': ['The goods were put away', '商品已上架'],
      'parcel.dispatched': ['The parcel was handed to the carrier', '包裹已交给承运商'],
      'parcel.completed': ['The parcel has its final status', '包裹已有最终状态'],
      'parcel.exception': ['The warehouse has found something wrong', '仓库发现异常'],
    } satisfies Named<TenantEventType> as Named<string>,
    payloadHint: ['A full payload saves a query. It shows the state at the time of sending.', '完整内容可省去一次查询，反映发送时的状态。'],
    filterHint: [
      'JSON. Only events whose data matches every condition are sent, for example {"is_terminal": true}. Leave it empty to send all events.',
      'JSON 格式。仅推送 data 满足所有条件的事件，例如 {"is_terminal": true}。留空则全部推送。',
    ],
    filterBad: [
      'This is not a JSON object. Enter, for example, {"is_terminal": true}, or leave the field empty.',
      '不是 JSON 对象。请填写例如 {"is_terminal": true}，或留空。',
    ],
    headersHint: [
      'Sent with every attempt, for example Authorization. The values are not shown again.',
      '每次投递都会携带，例如 Authorization。保存后不再显示其值。',
    ],
    headersKeep: [
      'Values are hidden. If you change one header, all headers are replaced, so enter every value again.',
      '值已隐藏。修改任意一项都会整体替换，因此需要重新填写全部的值。',
    ],
    headersReplace: ['Replace the headers', '替换请求头'],
    headersKeepButton: ['Keep the current headers', '保留现有请求头'],
    metadataHint: ['For your own use. The platform only stores it.', '供您自己使用，平台仅存储。'],
    rateHint: ['Attempts per second, 1 to 1000. Leave it empty for no limit.', '每秒投递次数，1 至 1000。留空则不限。'],
    name: ['Name', '名称'],
    value: ['Value', '值'],
    addHeader: ['Add header', '添加请求头'],
    addMetadata: ['Add entry', '添加条目'],
    created: ['Endpoint created.', '端点已创建。'],
    atLeastOne: ['Select at least one event.', '请至少选择一种事件。'],
  },
  secret: {
    title: ['Signing secret', '签名密钥'],
    once: [
      'Copy the secret now: it is shown only once. Your receiver needs it to verify signatures.',
      '请立即复制：密钥只显示这一次。接收方需要用它校验签名。',
    ],
    rotated: ['The previous secret stays valid for 24 hours.', '旧密钥在 24 小时内仍然有效。'],
    alone: [
      'The previous secret is no longer valid. Configure this secret in your receiver now, then replay the deliveries that failed in the meantime.',
      '旧密钥已失效。请立即为接收方更换此密钥，然后重放其间失败的投递。',
    ],
    label: ['Secret', '密钥'],
  },
  test: {
    title: ['Send a test event', '发送测试事件'],
    type: ['Event type', '事件类型'],
    text: [
      'The event has sample data. It is sent immediately, whatever event types the endpoint subscribes to. A failure does not affect the health of the endpoint.',
      '使用示例数据立即发送，不受订阅类型限制。失败不影响端点的健康状况。',
    ],
    send: ['Send', '发送'],
    sent: ['The test event is queued.', '测试事件已加入发送队列。'],
  },
  replay: {
    title: ['Replay events', '重放事件'],
    text: ['Sends the events of a time range again, with the same webhook-id.', '以相同的 webhook-id 重新发送一段时间内的事件。'],
    range: ['Time range', '时间范围'],
    ranges: { ...latest, custom: ['Other time range', '其他时间范围'] },
    since: ['From', '开始时间'],
    until: ['To', '结束时间'],
    untilHint: ['Leave it empty for the current time', '留空：到现在为止'],
    only: ['Events to send', '发送哪些事件'],
    choices: {
      undelivered: ['Not delivered yet, including held events', '尚未成功的，包括被保留的'],
      failed: ['Failed after the last attempt', '仅重试次数已用尽的'],
      all: ['All, including delivered events', '全部，包括已成功的'],
    } satisfies Named<ReplayChoice> as Named<string>,
    done: [
      (count: number) =>
        count === 0 ? 'There are no events to send in this range.' : `${plural(count, 'delivery is', 'deliveries are')} queued.`,
      (count: number) => (count === 0 ? '该时间段内没有需要发送的事件。' : `已有 ${count} 条投递加入发送队列。`),
    ],
  },
} as const;
