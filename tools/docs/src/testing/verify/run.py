import json, sys
sys.path.insert(0, sys.argv[1])
from verify_webhook import verify_webhook
def accepts(case):
    try:
        event = verify_webhook(case["body"].encode(), case["headers"], case["secret"], case["now"])
    except ValueError:
        return False
    return event["type"] == "parcel.weighed"
print(json.dumps([accepts(case) for case in json.load(sys.stdin)]))
