public import Amounts
public import CivilTime
public import PurchaseModel

/// The household or customer behind a report; equal values are one voter.
public struct Voter: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// An arbitrary number that identifies the voter.
  public let rawValue: Int64
  /// Creates a voter from a number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  /// Orders voters by number; the order is stable, and has no meaning.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A price report with its time and storefront: the input of price learning.
///
/// Placing links a report to its purchase and its household. Example: a report of 9.99 USD, sent on
/// May 2 with the transaction id of a purchase of May 1, is placed on May 1, in the storefront that
/// it states.
public struct PlacedReport: Hashable, BitwiseCopyable, Sendable {
  /// The hash of the report's content.
  public var evidenceID: Int64
  /// The time of the purchase that has the report's transaction id and product; else the time of
  /// the report.
  public var time: Instant
  /// The regular price of one unit.
  public var price: Milliunits
  /// The voter behind the report.
  public var voter: Voter
  /// The product that the report is about.
  public var productID: ProductID
  /// The currency of every price in the report.
  public var currency: Currency
  /// The prices of offers in the report.
  public var offers: OfferListIndex
  /// The storefront of the report; `nil` if unknown.
  ///
  /// If the report itself states no storefront, it is that of the household's report or export
  /// record nearest in time.
  public var place: Storefront?
  /// Whether the report itself states the storefront.
  public var hasOwnPlace: Bool
  /// The storefront that an export record of the household shows, if the report states another
  /// storefront; else `nil`.
  ///
  /// The record is the one nearest to the report's purchase, within 31 days. Also `nil` if the
  /// report has no known purchase.
  public var rivalPlace: Storefront?
  /// Whether the report was made more than 90 days before its household's first chain began.
  ///
  /// Also true if the household has no chain. False for a report with a known purchase.
  public var isLongBefore: Bool
  /// Whether the report was made more than a day after its purchase.
  ///
  /// It may show the price of the day on which it was made, not the price of the purchase.
  public var isLate: Bool
  /// Whether the report was made more than an hour before its purchase.
  ///
  /// A parent may have approved the purchase later; the price may have changed in between.
  public var isAsked: Bool
  /// The instalment for which the price pays; `nil` for a whole period.
  ///
  /// Placing sets the instalment of the report's purchase. ``ComparedReports`` then decides from
  /// the price, because a phone may show the price of the whole period.
  public var instalment: Instalment?
  /// Whether this is a price that Apple signed, for a purchase at the list price of its day.
  ///
  /// A signed price is always believed, and has the weight of ten reports.
  public var isSigned: Bool
  /// Whether the price is a charge with a vote: see ``PriceReport/isCharge``.
  ///
  /// A charge is not compared with the prices that others were shown.
  public var isCharge: Bool
  /// The verdict on a report that is not compared with others; `nil` for all other reports.
  ///
  /// A report with such a verdict has no vote.
  public var setAside: Verdict?

  /// Creates a placed report that is on time, is neither signed nor a charge, and has no rival
  /// storefront, unless the arguments state otherwise.
  public init(
    evidenceID: Int64, time: Instant, price: Milliunits, voter: Voter, productID: ProductID,
    currency: Currency, offers: OfferListIndex, place: Storefront?, hasOwnPlace: Bool,
    rivalPlace: Storefront? = nil, isLongBefore: Bool = false, isLate: Bool = false,
    isAsked: Bool = false, instalment: Instalment? = nil, isSigned: Bool = false,
    isCharge: Bool = false, setAside: Verdict? = nil
  ) {
    self.evidenceID = evidenceID
    self.time = time
    self.price = price
    self.voter = voter
    self.productID = productID
    self.currency = currency
    self.offers = offers
    self.place = place
    self.hasOwnPlace = hasOwnPlace
    self.rivalPlace = rivalPlace
    self.isLongBefore = isLongBefore
    self.isLate = isLate
    self.isAsked = isAsked
    self.instalment = instalment
    self.isSigned = isSigned
    self.isCharge = isCharge
    self.setAside = setAside
  }
}

/// The number of a list in ``OfferLists``.
public struct OfferListIndex: Hashable, BitwiseCopyable, Sendable {
  /// The number, from 0; 0 is the empty list.
  public let rawValue: Int32
  /// Creates an index from the number of a list.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// The index of the empty list.
  public static let none = OfferListIndex(0)
}

/// The different lists of offers in reports.
///
/// Millions of reports have the same few lists: those that App Store Connect had over time.
public struct OfferLists: Sendable {
  private var offers: [OfferPrice] = []
  private var ends: [Int] = [0]
  private var numbers: [[OfferPrice]: Int32] = [[]: 0]

  /// Creates a table with the empty list.
  public init() {}

  /// Returns the number of a list; adds the list if it is new.
  public mutating func index(of list: [OfferPrice]) -> OfferListIndex {
    if let known = numbers[list] { return OfferListIndex(known) }
    let number = Int32(ends.count)
    offers += list
    ends.append(offers.count)
    numbers[list] = number
    return OfferListIndex(number)
  }

  /// The number of different lists, including the empty list.
  public var count: Int { ends.count }

  /// All lists, in the order of their numbers.
  public var lists: some Sequence<ArraySlice<OfferPrice>> {
    (0..<Int32(count)).lazy.map { self[OfferListIndex($0)] }
  }

  /// The positions of a list's offers among the offers of all lists.
  public func range(of index: OfferListIndex) -> Range<Int> {
    let number = Int(index.rawValue)
    return (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  /// The offers of a list.
  public subscript(index: OfferListIndex) -> ArraySlice<OfferPrice> { offers[range(of: index)] }

  /// The offers at some positions among the offers of all lists.
  public subscript(range: Range<Int>) -> ArraySlice<OfferPrice> { offers[range] }

  /// An offer of any list.
  public subscript(position: OfferPosition) -> OfferPrice { offers[position.index] }
}
