import type { deliveryStatuses, NextAttemptReason } from '@parcelway/contracts/webhook-delivery-api';
import type { Both, Named } from '@parcelway/page/languages';

export const deliveryWords = {
  deliveries: {
    event: ['Event', '事件'],
    attempts: ['Attempts', '尝试次数'],
    response: ['Last response', '最近响应'],
    next: ['Next attempt', '下次尝试'],
    statuses: {
      pending: ['Pending', '等待中'],
      succeeded: ['Succeeded', '成功'],
      failed: ['Failed', '失败'],
      held: ['Held', '已保留'],
    } satisfies Named<(typeof deliveryStatuses)[number]> as Named<string>,
    latest: [
      (count: number) => (count === 1 ? 'The latest delivery' : `The latest ${count} deliveries`),
      (count: number) => `最近 ${count} 次投递`,
    ],
    rate: ['{0} of the deliveries with a final result succeeded', '已有最终结果的投递中，成功率 {0}'],
    charts: {
      success: ['Attempts that succeeded', '成功的尝试占比'],
      duration: ['Response time (95th percentile)', '响应时间（第 95 百分位）'],
      attempts: ['Attempts', '尝试次数'],
      legend: {
        some: ['Attempts succeeded', '有成功的尝试'],
        zero: ['0%: no attempt succeeded', '0%：尝试均未成功'],
        none: ['No bar: no attempts', '无柱：当天没有尝试'],
      },
    },
    test: ['Test', '测试'],
    empty: ['No deliveries yet', '还没有投递'],
    emptyHint: [
      'Deliveries appear when events occur. Send a test event to see one now.',
      '事件发生后会产生投递。发送一个测试事件即可立即看到。',
    ],
    noMatch: ['No deliveries have this status', '没有该状态的投递'],
    noFailed: [
      'A delivery has failed when its last attempt has failed. A delivery that is tried again is pending.',
      '最后一次尝试失败后，投递才算失败。仍会重试的投递为“等待中”。',
    ],
    seePending: ['Show pending deliveries', '查看等待中的投递'],
    noResponse: ['No response', '无响应'],
  },
  delivery: {
    resend: ['Resend', '重发'],
    resent: ['Sent again with the same webhook-id.', '已用相同的 webhook-id 重发。'],
    enableFirst: ['The endpoint is paused or disabled. Enable it first.', '端点已暂停或停用：请先启用。'],
    attempts: ['Attempts', '尝试记录'],
    attempt: ['Attempt {0}', '第 {0} 次尝试'],
    request: ['Request', '请求'],
    response: ['Response', '响应'],
    body: ['Body', '正文'],
    headers: ['Headers', '请求头'],
    perAttempt: ['different for each attempt', '每次尝试不同'],
    error: ['Error', '错误'],
    took: ['Duration', '耗时'],
    noBody: ['The response has no body.', '响应没有正文。'],
    noResponse: ['No response was received.', '没有收到响应。'],
    noAttempts: ['No attempts yet', '尚未尝试'],
    noAttemptsHint: ['Attempts appear here when they are made.', '每次尝试后会显示在这里。'],
    cut: ['Only the first 1,024 bytes of the response are kept.', '较长的响应只保留前 1,024 字节。'],
    eventId: ['Event (webhook-id)', '事件（webhook-id）'],
    deliveryId: ['Delivery', '投递 ID'],
    what: ['What happens next', '下一步'],
    nextAt: ['Next attempt {0}', '下次尝试：{0}'],
    due: ['Due now', '即将发送'],
    reasons: {
      first: ['It has not been sent yet. It is sent as soon as possible.', '尚未尝试，将尽快发送。'],
      schedule: ['The wait comes from the retry schedule. It grows with each failure.', '等待时间来自重试计划，每次失败后逐渐变长。'],
      retry_after: ['Your receiver asked for this wait with the header Retry-After.', '接收方通过 Retry-After 响应头要求等待。'],
      paused: ['The endpoint is paused. The delivery is sent when you resume the endpoint.', '端点已暂停，恢复后发送。'],
      queued: [
        'It is due and waits for its turn: behind other attempts, because of the rate limit, or because your receiver is slowed down.',
        '已到发送时间，正在排队：前面还有其他尝试、受速率限制，或因接收方被放慢发送。',
      ],
    } satisfies Named<NextAttemptReason> as Named<string>,
    retryAfter: [' (Retry-After: {0})', '（Retry-After: {0}）'],
    ends: {
      succeeded: ['Delivered. Nothing more is sent.', '已送达，不再发送。'],
      failed: [
        'The last attempt failed. The platform does not retry it. Fix the receiver, then resend the delivery.',
        '最后一次尝试失败，平台不再重试。请修复接收方后重发。',
      ],
      held: [
        'Held because the endpoint was disabled. Enable the endpoint, then replay or resend.',
        '因端点停用而保留。请启用端点，再重放或重发。',
      ],
      testFailed: [
        'A test event is sent only once. Fix the receiver, then send another one.',
        '测试事件只尝试一次。接收方修复后请再发送一个。',
      ],
    },
    becauseStatus: ['The receiver returned {0}.', '接收方返回了 {0}。'],
    because: ['No valid response: {0}', '没有有效响应：{0}'],
    /** By code. The page adds the message of the platform where it says more. */
    errors: {
      status: ['The status of the response is not between 200 and 299.', '响应状态码不在 200 至 299 之间。'],
      timeout: [
        'No complete response was received in time. Respond first, then process the event.',
        '未在时限内收到完整响应。请先响应，再处理事件。',
      ],
      address_not_allowed: ['The platform does not send to this address.', '平台不允许向该地址发送。'],
      name_not_resolved: [
        'The host name cannot be resolved. Check the spelling and the public DNS record.',
        '主机名无法解析。请检查拼写以及公网 DNS 记录。',
      ],
      connect_timeout: ['The connection timed out. Check whether a firewall drops it.', '未能及时建立连接。请检查防火墙是否丢弃了连接。'],
      connection_refused: [
        'The connection was refused. Check that the receiver is running and that the port is correct.',
        '连接被拒绝。请检查接收方是否在运行、端口是否正确。',
      ],
      connection_reset: ['The connection was reset before a response was received.', '连接在收到响应前被重置。'],
      connection_closed: ['The connection was closed before the response was complete.', '连接在响应完整之前被关闭。'],
      unreachable: ['The host or its network cannot be reached.', '无法到达主机或其网络。'],
      tls: [
        'No secure connection could be established. Check that the certificate is valid, matches the host name and is sent with its chain.',
        '无法建立安全连接。请检查证书是否有效、域名是否匹配、证书链是否完整。',
      ],
      headers_too_large: ['The headers of the response are too large.', '响应头过大。'],
      failed: ['The request failed.', '请求失败。'],
    } as Readonly<Record<string, Both>>,
    redirect: ['Redirects are not followed. They count as failures.', '平台不跟随重定向，重定向视为失败。'],
  },
  events: {
    lead: [
      'The events of your account, whether or not an endpoint receives them. Choose a time range and a type.',
      '您账户的事件，无论是否有端点接收。可选择时间范围和类型。',
    ],
    type: ['Type', '类型'],
    standard: ['Only weighings and tracking', '仅称重与轨迹'],
    range: ['Since', '时间范围'],
    ranges: {
      hour: ['Last hour', '最近 1 小时'],
      day: ['Last 24 hours', '最近 24 小时'],
      week: ['Last 7 days', '最近 7 天'],
      all: ['All stored events', '全部已保留的事件'],
    } as Readonly<Record<string, Both>>,
    show: ['Show details', '查看详情'],
    hide: ['Hide details', '收起详情'],
    deliveries: ['Deliveries of this event', '该事件的投递'],
    nowhere: [
      'None of your endpoints has a delivery of this event: no endpoint was subscribed to it, or the delivery has been deleted after its retention period.',
      '现有端点均没有该事件的投递：没有端点订阅该事件，或投递记录已超过保留期。',
    ],
    empty: ['No events in this range', '该时间范围内没有事件'],
    emptyHint: [
      'Events are created when something happens to a parcel. Select a longer range or all types to see more.',
      '包裹有动态时会产生事件。可选择更长的时间范围或全部类型。',
    ],
    newer: ['Load newer', '加载更新的事件'],
    order: ['Newest first', '最新的在前'],
    notAll: [
      'There are newer events than the {0} that were read. Load them, or choose a shorter range or one type.',
      '已读取 {0} 个事件，还有更新的事件。请继续加载，或选择更短的时间范围或单一类型。',
    ],
  },
} as const;
