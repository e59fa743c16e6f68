internal import Amounts
internal import CivilTime
internal import PurchaseModel

extension RenewalObservation {
  static var blank: RenewalObservation {
    RenewalObservation(
      record: 0, originalTransactionID: OriginalTransactionID(AppleNumber(rawValue: 0)))
  }

  /// Codes the fields of a renewal state, except the record that contains the state.
  mutating func coded(by coder: inout some BodyCoder, after base: inout Int64) {
    var flags = coder.longFlags(self.flags)
    autoRenewStatus = flags.nextOptional()
    isInBillingRetry = flags.nextOptional()
    coder.code(&originalTransactionID, after: &base)
    coder.code(&productID, if: flags.next())
    coder.code(&autoRenewProductID, if: flags.next())
    coder.code(&expirationIntent, if: flags.next())
    coder.code(&gracePeriodExpiresAt, after: .epoch, if: flags.next())
    coder.code(&priceConsentStatus, if: flags.next())
    coder.code(&priceIncreaseStatus, if: flags.next())
    isOfService = flags.next()
    guard flags.bits >> 11 != 0 else { return }
    var next = commitment ?? NextCommitment()
    next.autoRenewStatus = flags.nextOptional()
    coder.code(&next.renewsAt, after: .epoch, if: flags.next())
    coder.code(&next.price, if: flags.next())
    let plan = flags.bits >> 15
    next.billingPlan = coder.value(
      UInt8(exactly: plan).flatMap(BillingPlan.init(rawValue:)), ofCode: plan)
    commitment = next
  }

  /// The flags in the order of the fields; the bits from 11 on are about the commitment.
  @inline(__always) private var flags: Flags {
    let next = commitment
    return Flags(
      bits: Flags(
        autoRenewStatus == false, autoRenewStatus == true, isInBillingRetry == false,
        isInBillingRetry == true, productID != nil, autoRenewProductID != nil,
        expirationIntent != nil, gracePeriodExpiresAt != nil
      ).bits
        | Flags(
          priceConsentStatus != nil, priceIncreaseStatus != nil, isOfService,
          next?.autoRenewStatus == false, next?.autoRenewStatus == true, next?.renewsAt != nil,
          next?.price != nil
        ).bits << 8 | UInt64(next?.billingPlan?.rawValue ?? 0) << 15)
  }
}
