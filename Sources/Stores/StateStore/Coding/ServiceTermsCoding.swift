internal import Amounts
internal import PurchaseModel

extension ServiceTerms: BodyValue {
  static var blank: ServiceTerms { ServiceTerms(service: .revenueCat) }

  /// Codes what a hosted service states about a row.
  mutating func coded(by coder: inout some BodyCoder) {
    let flags = coder.flags(
      Flags(charged != nil, booked != nil, isFirst, marksOffers, isDated))
    coder.code(&service)
    (isFirst, marksOffers, isDated) = (flags[2], flags[3], flags[4])
    coder.code(&charged, if: flags[0])
    coder.code(&booked, if: flags[1])
  }
}
