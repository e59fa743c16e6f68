internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Merges the rows of hosted services' exports for one purchase.
///
/// The newest value of each field is used. If several services export one purchase, only the terms
/// of the first are kept, in the order of ``SubscriptionService``.
struct ServiceMerge {
  private var service: SubscriptionService?
  private var charged = Newest<BookedPrice>()
  private var refundRecency = Int64.min
  private var isFirst = false
  private var marksOffers = true
  private var dated: Instant?
  private var undated: Instant?
  /// The time of the refund in the newest row that could have one.
  private(set) var cancelledAt: Instant?

  /// The time of the purchase; `nil` without a row of a service.
  ///
  /// A row that states only its own time, such as that of a refund, is used if there is no other.
  var purchasedAt: Instant? { dated ?? undated }

  /// The merged terms; `nil` without a row of a service.
  var terms: ServiceTerms? {
    guard let service else { return nil }
    var terms = ServiceTerms(service: service)
    terms.charged = charged.value?.charged
    terms.booked = charged.value?.booked
    terms.isFirst = isFirst
    terms.marksOffers = marksOffers
    terms.isDated = dated != nil
    return terms
  }

  mutating func include(_ terms: ServiceTerms, at time: Instant, recency: Int64) {
    if terms.isDated {
      dated = min(dated ?? time, time)
    } else {
      undated = min(undated ?? time, time)
    }
    if let service {
      guard terms.service <= service else { return }
      if terms.service < service { charged = Newest() }
    }
    service = terms.service
    if let price = terms.charged {
      charged.include(
        BookedPrice(charged: price, booked: terms.booked ?? price.amount), recency: recency)
    }
    isFirst = isFirst || terms.isFirst
    marksOffers = marksOffers && terms.marksOffers
  }

  /// Notes the refund of a row; a newer row without a refund takes it back.
  mutating func include(cancelledAt time: Instant?, recency: Int64) {
    if recency > refundRecency {
      cancelledAt = time
      refundRecency = recency
    } else if recency == refundRecency, let time {
      cancelledAt = max(cancelledAt ?? time, time)
    }
  }
}

/// The amounts of one row, ordered so that ties do not depend on the order of the rows.
private struct BookedPrice: Comparable {
  var charged: SignedPrice
  var booked: Milliunits

  static func < (left: BookedPrice, right: BookedPrice) -> Bool {
    (left.charged, left.booked) < (right.charged, right.booked)
  }
}
