public import CivilTime
public import PurchaseModel
public import Purchases

/// The content of the used files, with one computed value per partition in place of observations.
public struct LoadedPartitions<Partition: Sendable>: Sendable {
  /// The symbols, the files and the price reports, without records, rows and renewal states.
  ///
  /// Files are sorted by hash, then kind. Reports are sorted by evidence id; if several reports are
  /// equal, only the first is kept.
  public var set: Observations
  /// The computed value of each partition, in the order of the partitions' numbers.
  public var partitions: [Partition]
  /// The storefronts of production records without any transaction row.
  public var storefrontsWithoutRows: [StorefrontObservation]
  /// The time of the newest snapshot; `nil` without a record.
  public var newestSnapshot: Instant?
}

/// The values of the partitions that one thread read, with the partitions' numbers.
struct ReadPartitions<Partition: Sendable>: Sendable {
  var partitions: [(number: Int, partition: Partition)] = []
  var reports: [(number: Int, reports: [PriceReport], offers: [OfferPrice])] = []
  var recordsWithoutRows: [(record: Int, storefront: StorefrontObservation)] = []
  var withRows: RecordMarks
  var newestSnapshot: Instant?
}

extension LoadedPartitions {
  /// Joins the values of several threads, in the order of the partitions' numbers.
  init(_ read: [ReadPartitions<Partition>], into empty: Observations) {
    set = empty
    partitions = read.flatMap(\.partitions).sorted { $0.number < $1.number }.map(\.partition)
    newestSnapshot = read.compactMap(\.newestSnapshot).max()
    storefrontsWithoutRows = read.flatMap(\.recordsWithoutRows).compactMap { recordWithoutRows in
      read.contains { $0.withRows[recordWithoutRows.record] } ? nil : recordWithoutRows.storefront
    }
    let reports = read.flatMap(\.reports).sorted { $0.number < $1.number }
    set.reports.reserveCapacity(reports.reduce(0) { $0 + $1.reports.count })
    set.offers.reserveCapacity(reports.reduce(0) { $0 + $1.offers.count })
    for part in reports {
      let offset = set.offers.count
      for var report in part.reports {
        report.offers = report.offers.lowerBound + offset..<report.offers.upperBound + offset
        set.reports.append(report)
      }
      set.offers += part.offers
    }
  }
}

/// A set of records, with one bit per record of all files.
struct RecordMarks: Sendable {
  private var starts: [Int] = [0]
  private var words: [UInt64]

  init(counts: [Int]) {
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    words = Array(repeating: 0, count: starts[starts.count - 1] / 64 + 1)
  }

  /// The number of a record among all records; `nil` for an impossible position.
  func place(of ordinal: Int, in file: Int32) -> Int? {
    let place = starts[Int(file)] + ordinal
    return place < starts[Int(file) + 1] ? place : nil
  }

  subscript(place: Int) -> Bool { words[place / 64] & 1 << UInt64(place % 64) != 0 }

  mutating func mark(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }
}
