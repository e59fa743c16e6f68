"""Compares how Paidline and Apple's own library read signed transactions.

Usage: signed.py ROOT TOKENS KEY SIGNED

Each line of TOKENS is a JSON object: a token, and the fields that Paidline read, or null if Paidline
refused it. Apple's library must read the same fields. Then the script signs transactions of its own
with KEY and the certificates of the first token. It writes them to SIGNED in the same format, with
the fields that Apple's library reads.
"""

import base64
import json
import random
import sys

import jwt
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

root_path, tokens_path, key_path, signed_path = sys.argv[1:]
BUNDLE = "com.example.shop"
WORDS = ["type", "inAppOwnershipType", "offerDiscountType", "transactionReason", "environment",
         "revocationType"]
PLAIN = ["transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId",
         "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate",
         "signedDate", "quantity", "offerIdentifier", "price", "currency", "storefront",
         "revocationDate", "revocationPercentage", "appAccountToken", "offerPeriod"]

with open(root_path, "rb") as file:
    verifier = SignedDataVerifier([file.read()], False, Environment.PRODUCTION, BUNDLE, 1)


def fields(transaction):
    """The fields of a transaction that the library read, by Apple's names; without absent ones."""
    found = {name: getattr(transaction, name) for name in PLAIN}
    for word in WORDS:
        found[word] = getattr(transaction, "raw" + word[0].upper() + word[1:])
    for number in ["offerType", "revocationReason"]:
        found[number] = getattr(transaction, "raw" + number[0].upper() + number[1:])
    found["isUpgraded"] = bool(transaction.isUpgraded)
    return {name: value for name, value in found.items() if value is not None}


failures = []
verified = refused = 0
first = None
with open(tokens_path) as file:
    for number, line in enumerate(file, 1):
        entry = json.loads(line)
        first = first or entry["token"]
        try:
            theirs = fields(verifier.verify_and_decode_signed_transaction(entry["token"]))
            verified += 1
        except VerificationException:
            theirs = None
            refused += 1
        if theirs != entry["fields"]:
            failures.append(f"token {number}: Apple's library reads {theirs}, Paidline {entry['fields']}")

header = json.loads(base64.urlsafe_b64decode(first.split(".")[0] + "=="))
with open(key_path) as file:
    key = file.read()
chance = random.Random(7)
with open(signed_path, "w") as file:
    for number in range(300):
        payload = {
            "transactionId": str(2_000_000_400_000_000 + number),
            "originalTransactionId": "2000000300000001", "bundleId": BUNDLE,
            "productId": chance.choice(["pro.monthly", "пакет", "a\"b\\c", "🎁 gift"]),
            "purchaseDate": 1_714_557_600_000 + number, "signedDate": 1_714_557_605_000 + number,
            "quantity": chance.randint(1, 9), "type": chance.choice(["Consumable", "Later"]),
            "environment": "Production", "isUpgraded": chance.choice([True, False]),
            "price": chance.choice([0, 990, 9990, 1_000_000_000]), "currency": "PLN",
        }
        for name, value in {"offerType": 3, "offerIdentifier": "códe", "storefront": "POL",
                            "appAccountToken": "1d9a4b0e-6f0c-4d8e-9a53-0c2f7f6d1a11",
                            "offerDiscountType": "PAY_UP_FRONT"}.items():
            if chance.random() < 0.5:
                payload[name] = value
        token = jwt.encode(payload, key, algorithm="ES256", headers={"x5c": header["x5c"]})
        theirs = fields(verifier.verify_and_decode_signed_transaction(token))
        file.write(json.dumps({"token": token, "fields": theirs}) + "\n")

print(f"{verified} verified, {refused} refused, {len(failures)} differ")
for failure in failures[:5]:
    print(failure)
sys.exit(1 if failures else 0)
