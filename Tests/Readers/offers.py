"""Compares the signed offers of `paidline sign-offers` with those of Apple's own library.

Usage: offers.py KEY LIST SIGNED

LIST is the input of `paidline sign-offers`, SIGNED its output, both one JSON object per line. Apple's
library signs each offer of LIST with KEY. The signatures in SIGNED must be valid for the text that
the library signs, and the headers and claims of both JWS must be equal.
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
    """A signing key that records the text to be signed."""

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
            failures.append(f"line {number} has the signature of another offer")
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
            failures.append(
                f"line {number}: the signature is not valid for the text that Apple's library signs")
        theirs = newer.create_signature(offer["product_id"], offer["offer_id"],
                                        offer["transaction_id"])
        if jwt.get_unverified_header(theirs) != jwt.get_unverified_header(answer["jws"]):
            failures.append(f"line {number}: the JWS header differs from that of Apple's library")
        claims = [jwt.decode(token, public, algorithms=["ES256"], audience="promotional-offer")
                  for token in [theirs, answer["jws"]]]
        for claim in claims:
            uuid.UUID(claim.pop("nonce"))
        if abs(claims[0].pop("iat") - claims[1].pop("iat")) > 600 or claims[0] != claims[1]:
            failures.append(f"line {number}: expected the claims {claims[0]}; found {claims[1]}")

print(f"{signed} verified, {len(failures)} differ")
for failure in failures[:5]:
    print(failure)
sys.exit(1 if failures else 0)
