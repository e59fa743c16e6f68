"""Apple's own library as a second opinion on signed offers.

offers.py KEY LIST SIGNED: takes apart what Apple's library signs with KEY for each offer of LIST
(lines of JSON, as `paidline sign-offers` takes them), and verifies what SIGNED says of the same
offers against the very texts that the library signed.
"""

import json
import sys
import uuid

import jwt
from appstoreserverlibrary import jws_signature_creator, promotional_offer
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.exceptions import InvalidSignature
import base64

key_path, list_path, signed_path = sys.argv[1:]
KEY_ID, BUNDLE = "2X9R4HXF34", "com.example.shop"
ISSUER = "57246542-96fe-1a63-e053-0824d011072a"
with open(key_path, "rb") as file:
    pem = file.read()
public = serialization.load_pem_private_key(pem, None).public_key()
creator = promotional_offer.PromotionalOfferSignatureCreator(pem, KEY_ID, BUNDLE)
newer = jws_signature_creator.PromotionalOfferV2SignatureCreator(pem, KEY_ID, ISSUER, BUNDLE)


class Witness:
    """A key that tells which text it was asked to sign."""

    def sign(self, text, algorithm):
        self.text = text
        return b"-"


creator._signing_key = witness = Witness()
failures = []
signed = 0
with open(list_path) as wanted, open(signed_path) as answers:
    for number, (line, answer) in enumerate(zip(wanted, answers, strict=True), 1):
        offer, answer = json.loads(line), json.loads(answer)
        if any(offer[name] != answer[name] for name in ["customer_id", "product_id", "offer_id"]):
            failures.append(f"line {number} is about another offer")
        if not answer["is_signed"]:
            continue
        signed += 1
        creator.create_signature(offer["product_id"], offer["offer_id"],
                                 offer.get("app_account_token", ""), uuid.UUID(answer["nonce"]),
                                 answer["timestamp"])
        try:
            public.verify(base64.b64decode(answer["signature"], validate=True), witness.text,
                          ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            failures.append(f"line {number}: the signature is not of Apple's text")
        theirs = newer.create_signature(offer["product_id"], offer["offer_id"],
                                        offer["transaction_id"])
        if jwt.get_unverified_header(theirs) != jwt.get_unverified_header(answer["jws"]):
            failures.append(f"line {number}: another header")
        claims = [jwt.decode(token, public, algorithms=["ES256"], audience="promotional-offer")
                  for token in [theirs, answer["jws"]]]
        for claim in claims:
            uuid.UUID(claim.pop("nonce"))
        if abs(claims[0].pop("iat") - claims[1].pop("iat")) > 600 or claims[0] != claims[1]:
            failures.append(f"line {number}: ours {claims[1]}, Apple's {claims[0]}")

print(f"{signed} verified, {len(failures)} differ")
for failure in failures[:5]:
    print(failure)
sys.exit(1 if failures else 0)
