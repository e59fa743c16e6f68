/// Writes one export file: records sorted by time, with the faults of real exports.
struct ExportWriter {
  let store: SampleStore
  let responses: ResponseWriter
  let part: Int

  /// Creates a file of receipt responses, with the odd lines at its end.
  ///
  /// If the store has no hand-made stories, some records occur twice, a few lines are broken, and
  /// some additional responses have an error status.
  func receipts(_ oddLines: [OddLine]) -> [UInt8] {
    var gzip = GzipWriter()
    var json = JSONBytes()
    var random = SampleRandom(seed: store.options.seed, stream: 1 << 40 | UInt64(part))
    for entry in store.schedule.uploads[part] {
      let customer = store.customers[Int(entry.customer)]
      let upload = customer.uploads[Int(entry.item)]
      let start = json.bytes.count
      responses.write(upload, of: customer, to: &json)
      json.raw("\n")
      if !store.options.hasStories {
        addTrouble(from: start, at: upload.at, &random, to: &json)
      }
      if json.bytes.count >= 1 << 20 {
        gzip.append(json.bytes)
        json.bytes.removeAll(keepingCapacity: true)
      }
    }
    for line in oddLines {
      json.bytes += line.bytes
      json.raw("\n")
    }
    gzip.append(json.bytes)
    return gzip.finish()
  }

  /// Creates a file that repeats one response of the export; number 0 is the newest response.
  func repeatedReceipt(_ number: Int) -> [UInt8] {
    var gzip = GzipWriter()
    var json = JSONBytes()
    if let entry = store.schedule.uploads[part].dropLast(number).last {
      let customer = store.customers[Int(entry.customer)]
      responses.write(customer.uploads[Int(entry.item)], of: customer, to: &json)
      json.raw("\n")
    }
    gzip.append(json.bytes)
    return gzip.finish()
  }

  /// Creates a file of price reports, with the odd lines at its end.
  ///
  /// If the store has no hand-made stories, some reports occur twice.
  func prices(_ oddLines: [OddLine]) -> [UInt8] {
    var gzip = GzipWriter()
    var json = JSONBytes()
    var random = SampleRandom(seed: store.options.seed, stream: 1 << 41 | UInt64(part))
    for entry in store.schedule.reports[part] {
      let start = json.bytes.count
      PriceReportWriter(customer: store.customers[Int(entry.customer)])
        .write(Int(entry.item), to: &json)
      json.raw("\n")
      if !store.options.hasStories, random.happens(perMille: 3) { json.repeatFrom(start) }
      if json.bytes.count >= 1 << 20 {
        gzip.append(json.bytes)
        json.bytes.removeAll(keepingCapacity: true)
      }
    }
    for line in oddLines {
      json.bytes += line.bytes
      json.raw("\n")
    }
    gzip.append(json.bytes)
    return gzip.finish()
  }

  private func addTrouble(
    from start: Int, at moment: Int64, _ random: inout SampleRandom, to json: inout JSONBytes
  ) {
    switch random.below(1000) {
    case 0, 1, 2: json.repeatFrom(start)
    case 3:
      let half = (json.bytes.count - start) / 2
      json.bytes.append(contentsOf: json.bytes[start..<(start + half)])
      json.raw("\n")
    case 4:
      let statuses: [StaticString] = [
        "21002", "21003", "21005", "21007", "21009", "21010", "21100",
      ]
      json.raw("{\"received_at\":")
      json.isoTime(moment)
      json.raw(",\"response\":{\"status\":")
      json.raw(statuses[random.below(statuses.count)])
      json.raw(",\"environment\":\"Production\"}}\n")
    default: break
    }
  }
}

extension JSONBytes {
  /// Appends a copy of all bytes from a position on.
  fileprivate mutating func repeatFrom(_ start: Int) {
    bytes.append(contentsOf: Array(bytes[start...]))
  }
}
